// Starts the page.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { callTheHuman } from "./attention/start";
import { feedStore } from "./live/dashboard";
import "./style/base.css";
import "./style/list.css";
import "./style/form.css";
import "./style/terminal.css";
import "./style/strip.css";
import "./style/panel.css";
import "./style/inbox.css";
import "./style/palette.css";
import "./style/grid.css";
import { keepShell } from "./shell";
import "./style/settings.css";
import "./style/replay.css";
import { App } from "./view/App";

const root = document.getElementById("page");
if (root === null) throw new Error("index.html has no element with the id `page`");
callTheHuman();
feedStore();
keepShell();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
