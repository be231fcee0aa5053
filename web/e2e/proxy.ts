// A proxy that serves the daemon below a path, as people put it behind nginx: it
// takes the path off, passes `Host` on, and joins sockets.
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";

export class Proxy {
  private readonly server: Server = createServer();
  private target = 0;
  /** The sockets that it has joined. */
  private joined: (() => void)[] = [];
  /** Sockets are joined when this is over. */
  private pause: Promise<void> = Promise.resolve();

  constructor(private readonly path: string) {}

  /** The port that it listens on. */
  async listen(): Promise<number> {
    this.server.on("request", (incoming, answer) => {
      const url = this.strip(incoming);
      if (url === null) return answer.writeHead(404).end();
      const asked = request({ port: this.target, method: incoming.method, path: url, headers: incoming.headers }, (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      });
      asked.on("error", () => answer.writeHead(502).end());
      return incoming.pipe(asked);
    });
    this.server.on("upgrade", (incoming: IncomingMessage, socket) => void this.pause.then(() => {
      const upstream = connect(this.target, "127.0.0.1", () => {
        const head = Array.from({ length: incoming.rawHeaders.length / 2 }, (_, at) => `${incoming.rawHeaders[2 * at]}: ${incoming.rawHeaders[2 * at + 1]}`);
        upstream.write(`GET ${this.strip(incoming) ?? "/"} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n`);
        socket.pipe(upstream).pipe(socket);
        this.joined.push(() => [socket.unpipe(upstream), upstream.unpipe(socket)].forEach((end) => end.pause()));
      });
      upstream.on("error", () => socket.destroy());
      socket.on("error", () => upstream.destroy());
    }));
    await new Promise<void>((listening) => this.server.listen(0, "127.0.0.1", listening));
    return (this.server.address() as AddressInfo).port;
  }

  /** Where requests go from now on. */
  lead(port: number): void {
    this.target = port;
  }

  /** Forgets what it has joined, as a router does: nothing passes there, and nobody is told. */
  forget(): void {
    this.joined.splice(0).forEach((part) => part());
  }

  /** Lets new sockets wait, as a slow line does, until the returned function is called. */
  hold(): () => void {
    let goOn = (): void => undefined;
    this.pause = new Promise((over) => {
      goOn = over;
    });
    return () => goOn();
  }

  end(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private strip(incoming: IncomingMessage): string | null {
    const url = incoming.url ?? "/";
    return url.startsWith(this.path) ? `/${url.slice(this.path.length)}` : null;
  }
}
