// What the browsers' processes take, read from /proc.
import { readdirSync, readFileSync } from 'node:fs';

// Those that run pages and workers, in Chromium, Firefox and WebKitGTK.
const CONTENT = /--type=renderer|-contentproc .*\btab$|WebKitWebProcess/;

function parentOf(pid: string): string {
  // The command's name in parentheses may hold spaces.
  return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ')[1]!;
}

/** All processes below this one. */
function descendants(): string[] {
  const children = new Map<string, string[]>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = parentOf(pid);
      children.set(parent, [...(children.get(parent) ?? []), pid]);
    } catch {
      // It has ended.
    }
  }
  const found: string[] = [];
  const waiting = [String(process.pid)];
  for (let pid = waiting.pop(); pid; pid = waiting.pop()) {
    const own = children.get(pid) ?? [];
    found.push(...own);
    waiting.push(...own);
  }
  return found;
}

/** Resident bytes of the largest process that runs pages. */
export function residentBytes(): number {
  let largest = 0;
  for (const pid of descendants()) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      if (!CONTENT.test(command)) continue;
      const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      largest = Math.max(largest, Number(kilobytes ?? 0) * 1024);
    } catch {
      // It has ended.
    }
  }
  return largest;
}
