// How the page is built: one small first chunk, the terminal in a second one
// that is loaded when it is needed, and addresses relative to the page, so that
// it works under any path of a proxy.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const daemon = `http://127.0.0.1:${process.env.SCHMUX_PORT ?? "7337"}`;

export default defineConfig({
  base: "./",
  plugins: [react()],
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    // xterm.js with its WebGL renderer, in a chunk of its own.
    chunkSizeWarningLimit: 600,
  },
  server: {
    // The login cookie belongs to this name, so the page must be opened under it too.
    host: "127.0.0.1",
    proxy: {
      "/api": { target: daemon, headers: { origin: daemon }, changeOrigin: true },
      "/ws": { target: daemon, ws: true, changeOrigin: true, rewriteWsOrigin: true },
    },
  },
  test: { include: ["src/**/*.test.ts"] },
});
