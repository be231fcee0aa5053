// What is to be known wherever one is. That the page is not live, the sidebar says
// where there is one; that the daemon has a newer page, or that an answer came too
// late, is said here everywhere.
import { store, useStore } from "../store";
import { LinkState } from "./Parts";

export function PageNotice({ sidebar }: { sidebar: boolean }) {
  const { link, outdated, tooLate } = useStore();
  const lost = !sidebar && link.phase === "lost";
  if (tooLate !== null) {
    return (
      <p className="page-notice" role="alert">
        <bdi>{tooLate}</bdi> <button type="button" onClick={() => store.update({ tooLate: null })}>Close</button>
      </p>
    );
  }
  if (!outdated && !lost) return null;
  return (
    <p className="page-notice">
      {lost ? <LinkState link={link} /> : <>schmux was updated. <button type="button" onClick={() => location.reload()}>Load the page again</button></>}
    </p>
  );
}
