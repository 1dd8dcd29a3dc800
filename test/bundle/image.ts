import { execFile } from 'node:child_process'
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type RunningChild, startChild } from '../support/child-process.ts'
import { argsOf, root, wordsOf } from './dockerfile.ts'

const run = promisify(execFile)

/**
 * Makes of a folder what a container runtime makes of an image: its only root, read-only, with the host's C library and devices
 * and no program but its own, and gives up root. Arguments: the folder, the user, then the program and its arguments.
 */
const enter = `set -eu
image=$1 user=$2
shift 2
mount --bind "$image" "$image"
for part in usr/lib usr/lib64 proc dev; do mount --bind "/$part" "$image/$part"; done
mount -o remount,bind,ro "$image/usr/lib"
mount -o remount,bind,ro "$image"
exec chroot --userspec="$user" "$image" "$@"`

export interface Image {
  /** Writes a file into the image, before anything runs in it. */
  add(path: string, text: string): Promise<void>
  /** Runs a program of the image to its end. @throws when it exits with another code than 0 */
  run(...command: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }>
  /** Starts a program of the image, of which the process id is the child's. */
  start(...command: readonly string[]): Promise<RunningChild>
}

/** Bundles into `folder` as `make build` does into dist/. */
export async function bundle(folder: string): Promise<void> {
  await run(join(root, 'bin/node'), [join(root, 'scripts/build.ts'), folder])
}

/**
 * Builds what the Dockerfile builds, below `folder`.
 *
 * @throws Error where mount namespaces cannot be had: without root nothing of this can be shown
 */
export async function createImage(folder: string): Promise<Image> {
  if (process.getuid?.() !== 0) {
    throw new Error('Cannot run the bundle as the image does: run as root (sudo make test), got another user')
  }
  const home = join(folder, 'opt/pathmeter')
  await bundle(home)
  await copyFile(process.execPath, join(home, 'node'))
  for (const part of ['usr/lib', 'usr/lib64', 'proc', 'dev', 'etc/pathmeter']) {
    await mkdir(join(folder, part), { recursive: true })
  }
  for (const part of ['lib', 'lib64']) await symlink(`usr/${part}`, join(folder, part))
  const [user = ''] = argsOf('USER')
  const environment = ['env', '-i', `PATH=${process.env['PATH']}`, ...argsOf('ENV')]
  const entering = [
    ...['--mount', '--propagation', 'private', '--'],
    ...environment,
    ...['sh', '-c', enter, 'sh', folder, user],
  ]
  return {
    add: (path, text) => writeFile(join(folder, path), text),
    run: (...command) => run('unshare', [...entering, ...command]),
    start: (...command) => startChild({ command: 'unshare', args: [...entering, ...command] }),
  }
}

/** The program that the image starts, with its flags. */
export const entrypoint = wordsOf('ENTRYPOINT')
