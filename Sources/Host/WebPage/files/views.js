// All views, in the order of the tabs and of the help: a new view is a module that exports `view`,
// and is named here. A view has these properties:
// - name: the first part of its addresses, behind the #
// - words: the key of its title
// - icon: the icon of its tab
// - help: the key of its help, if it has one
// - tab: "always", "wide" for a page wider than a phone's, "narrow" for a phone's, or none
// - under: the view whose tab is marked too
// - needs: the scope without which it is not shown; none where reading is enough
// - show(place, rest, views): fills an element; `rest` are the further parts of the address. It may
//   return a function, which is called when another view is shown.
import { view as scan } from "./scan/scan.js";
import { view as live } from "./live/live.js";
import { view as document_ } from "./document/document.js";
import { view as archive } from "./archive/archive.js";
import { view as jobs } from "./scan/jobs.js";
import { view as devices } from "./devices/devices.js";
import { view as settings } from "./settings/settings.js";
import { view as help } from "./shell/help.js";
import { view as more } from "./shell/more.js";
import { view as signin } from "./shell/signin.js";

export const views = [scan, live, document_, archive, jobs, devices, settings, help, more, signin];
