// The daemon does not know this browser, or does not accept how it was called.
import type { Failure } from "../api/http";
import { checkAccess } from "../live/dashboard";
import { CopyButton, Problem } from "./Parts";

export function SignedOut({ refusal }: { refusal: Failure | null }) {
  return (
    <main className="signed-out">
      <h1>This browser is not signed in</h1>
      <p>A terminal in a browser is a shell, so schmux only opens to those who can run it. In a terminal on its machine:</p>
      <p className="command"><code>schmux url</code> <CopyButton text="schmux url" label="Copy the command" /></p>
      <p>It prints a link that signs this browser in.</p>
      {refusal !== null && refusal.status !== 401 && <Problem failure={refusal} />}
      <p><button type="button" onClick={checkAccess}>Try again</button></p>
    </main>
  );
}
