import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second of /proc/PID/stat; the same on every Linux that Node runs on (getconf CLK_TCK). */
const TICKS = 100

/** What the kernel has counted of a process. */
export interface ProcessUse {
  /** Seconds of CPU, user and system. */
  readonly cpu: number
  /** Resident memory, MiB. */
  readonly rss: number
  /** Open file descriptors. */
  readonly handles: number
  /** When this was read, seconds on the monotonic clock. */
  readonly at: number
}

export function readUse(pid: number): ProcessUse {
  // The second field is the command in brackets, and may hold anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return {
    cpu: (Number(fields[11]) + Number(fields[12])) / TICKS,
    rss: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    at: performance.now() / 1000,
  }
}

/** A child process that ends with the scope that started it. */
export interface Child extends AsyncDisposable {
  readonly process: ChildProcess
  readonly pid: number
}

/** @throws when the program cannot be started */
export async function start(command: string, args: readonly string[], ipc = false): Promise<Child> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'inherit', ...(ipc ? (['ipc'] as const) : [])],
  })
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  return {
    process: child,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Waits until a URL answers 200; 20 s at most. */
export async function untilReady(url: string): Promise<void> {
  const deadline = performance.now() + 20_000
  while (performance.now() < deadline) {
    try {
      if ((await fetch(url)).ok) return
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No answer from ${url} within 20 s`)
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
