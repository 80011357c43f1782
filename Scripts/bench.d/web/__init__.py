"""What the HTTP API and the page cost: `Scripts/bench web`."""
