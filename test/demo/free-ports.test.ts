import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePorts } from '../../src/demo/free-ports.ts'

test('free ports differ, are free, and are none that connections are made from', async () => {
  const ports = await freePorts('127.0.0.1', 12)
  expect(new Set(ports).size).toBe(12)
  for (const port of ports) {
    expect(port).toBeLessThan(32_768)
    await using server = createServer()
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve)
    })
  }
})
