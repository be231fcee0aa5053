// Where the daemon is: always relative to the page's own address, so that the
// page works at the root, under a path of a proxy, and over TLS.

/** The address of an HTTP call, for a path such as `api/sessions`. */
export function httpAddress(path: string, base: string = document.baseURI): string {
  const url = new URL(path, withoutHash(base));
  return url.href;
}

/** The address of a socket, for a path such as `ws/dashboard`. */
export function socketAddress(path: string, base: string = document.baseURI): string {
  const url = new URL(path, withoutHash(base));
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

function withoutHash(base: string): string {
  const url = new URL(base);
  url.hash = "";
  url.search = "";
  return url.href;
}
