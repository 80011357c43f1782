"""Performance of the HTTP API and the web page: `Scripts/bench web`."""
