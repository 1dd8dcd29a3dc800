import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A process per file: sockets, signals and clocks of one cannot disturb another.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    sequence: { shuffle: { files: true, tests: false } },
    allowOnly: false,
    passWithNoTests: false,
  },
})
