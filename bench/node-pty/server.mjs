// A web terminal as most are built: one pty, one WebSocket, bytes both ways.
// Usage: node server.mjs PROGRAM ARGUMENT…   It prints its port and ends with its stdin.
import { spawn } from "node-pty";
import { WebSocketServer } from "ws";

const [program, ...args] = process.argv.slice(2);
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
server.on("listening", () => console.log(server.address().port));
server.on("connection", (socket) => {
  const pty = spawn(program, args, { cols: 120, rows: 40, encoding: null });
  pty.onData((data) => socket.send(data));
  socket.on("message", (data) => pty.write(data));
  socket.on("close", () => pty.kill());
});
process.stdin.resume().on("end", () => process.exit());
