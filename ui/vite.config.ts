import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Where a house is served while the room is being worked on: `HOUSE=http://127.0.0.1:8037`. */
const house = process.env["HOUSE"] ?? "http://127.0.0.1:8037";

export default defineConfig(({ command, mode }) => ({
  base: command === "build" && mode !== "gallery" ? "/room/" : "./",
  plugins: [svelte()],
  build:
    mode === "gallery"
      ? {
          outDir: at("../build/gallery"),
          emptyOutDir: true,
          rolldownOptions: { input: at("gallery.html") },
        }
      : {
          outDir: at("../src/novamas/web/room"),
          emptyOutDir: true,
          target: "es2022",
          // The page's policy allows no fonts or scripts but those of the house itself.
          assetsInlineLimit: 0,
          modulePreload: { polyfill: false },
        },
  server: {
    host: "127.0.0.1",
    proxy: {
      "/api": {
        target: house,
        changeOrigin: true,
        ws: true,
        // The house refuses the pages of other sites, and the workshop is one.
        configure: (proxy) => proxy.on("proxyReqWs", (asked) => asked.removeHeader("origin")),
      },
    },
  },
  test: {
    include: ["src/**/*.test.ts"],
    environment: "node",
    setupFiles: ["src/i18n/setup.ts"],
  },
  // Svelte's runes run on the client's side in tests too.
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
}));
