// What is to be known of the page itself. That it is not live, the sidebar says
// where there is one; that the daemon has a newer page is said here everywhere.
import { useStore } from "../store";
import { LinkState } from "./Parts";

export function PageNotice({ sidebar }: { sidebar: boolean }) {
  const { link, outdated } = useStore();
  const lost = !sidebar && link.phase === "lost";
  if (!outdated && !lost) return null;
  return (
    <p className="page-notice">
      {lost ? <LinkState link={link} /> : <>schmux was updated. <button type="button" onClick={() => location.reload()}>Load the page again</button></>}
    </p>
  );
}
