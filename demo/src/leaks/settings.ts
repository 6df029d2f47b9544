// How a run of the page is set, by its address and by the machine.
const MB = 2 ** 20;

export interface Settings {
  steps: number;
  /** Soft budget in bytes. */
  budget: number;
  /** Bytes of heap at which a lane is stopped. */
  cap: number;
  /** True when the machine looks like a phone and gets less to do. */
  small: boolean;
}

/** `?steps=100&budget=256&cap=1024` (megabytes); all are optional. */
export function settingsFrom(query: URLSearchParams): Settings {
  const number = (name: string): number | undefined => {
    const value = Number(query.get(name) ?? NaN);
    return value >= 1 ? Math.floor(value) : undefined;
  };
  const { deviceMemory = 8 } = navigator as { deviceMemory?: number };
  const small = deviceMemory <= 2 || matchMedia('(pointer: coarse)').matches;
  return {
    steps: Math.min(number('steps') ?? 600, 10_000),
    // 512 is also what Tidemark takes by itself on such machines.
    budget: (number('budget') ?? (small ? 128 : 512)) * MB,
    cap: (number('cap') ?? (small ? 1024 : 4096)) * MB,
    small,
  };
}
