// `npm run measure`: figures of the page, printed and not judged.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { root: import.meta.dirname, include: ["measure.ts"], testTimeout: 300_000, hookTimeout: 60_000 },
});
