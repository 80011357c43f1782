"""A host requires tokens: someone signs in with the token that the host shows at its start, signs
in a phone by a QR code, ends the session of the phone, and signs out.
"""

import os
import pty
import re
import subprocess
import sys

from browser import Host, Story


def on_terminal(host: Host) -> str:
    """A host on the network shows this on a terminal until someone has signed in."""
    near, far = pty.openpty()
    process = subprocess.Popen(
        [f"{sys.argv[1]}/copystand", "serve", "--listen", "0.0.0.0:0"],
        env=host.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=far,
    )
    os.close(far)
    shown = ""
    while "#signin/" not in shown and (some := os.read(near, 4096)):
        shown += some.decode(errors="replace")
    process.terminate()
    process.wait()
    os.close(near)
    return shown


with Story(options=("--token",)) as story:
    browser = "Firefox" if story.is_firefox else "Chrome"
    story.sign_in()
    story.open("settings")
    story.press("Show a QR code")
    address = story.wait(lambda: story.texts(".invitation .code"), "the address in the QR code")[0]
    code = re.search(r"#signin/(\w+)$", address).group(1)
    assert story.all(".invitation svg.qr path"), "the QR code"
    story.look("settings-qr")

    # The phone is another browser without the cookie.
    with Story(host=story.host) as phone:
        phone.driver.get(phone.wire.address + "/#signin/" + code)
        phone.wait(lambda: "Sign in to" in phone.one("main h2").text, "the question")
        assert not phone.driver.get_cookies(), "nobody has pressed"
        phone.look("sign-in-asked")
        phone.press("Sign in")
        phone.wait(lambda: phone.all("select[name=device]"), "the view behind the door")
        # The code is neither in the address nor in the browser's history.
        assert code not in phone.driver.current_url
        # A phone that signed in by the code may scan, but not make tokens.
        phone.open("settings")
        phone.wait(
            lambda: "does not allow making tokens" in phone.one("main").text,
            "the message that others make tokens",
        )
        phone.driver.get_log("browser")

        # The code works only once.
        phone.driver.delete_all_cookies()
        phone.driver.get(phone.wire.address + "/#signin/" + code)
        phone.press("Sign in")
        phone.wait(
            lambda: "A code signs in one browser" in phone.one("form.signin .bad").text,
            "the message that the code was used",
        )
        phone.look("sign-in-used-up")

        # Its session is listed and ended.
        story.open("scan")
        story.open("settings")
        sessions = story.wait(
            lambda: [text for text in story.texts(".rows strong") if browser in text],
            "the phone's session",
        )
        assert sessions == [f"{browser}, Linux"], sessions
        assert any("this browser" in text for text in story.texts(".rows li")), "whose session"
        story.driver.execute_script(
            "window.confirm = () => true;"
            f" document.querySelector('button[aria-label*=\"{browser}, Linux\"]').click()"
        )
        story.wait(lambda: f"{browser}, Linux" not in story.texts(".rows strong"), "its end")

    story.press("Sign out")
    story.wait(lambda: story.all("input[name=token]"), "the door")
    assert not story.driver.get_cookies()
    # If the host requires no sign-in, none of this is shown.
    assert not story.all("select[name=device]")

    # On a terminal with any colors the QR code is dark on light, because phones read no other.
    rows = [row for row in on_terminal(story.host).splitlines() if "\u2588" in row]
    assert len(rows) > 15 and all(
        row.startswith("\x1b[97;40m") and row.rstrip().endswith("\x1b[0m") for row in rows
    ), rows
print("invited")
