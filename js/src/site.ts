/** Where in the user's program something happened, from an error's stack. */

interface Frame {
  name: string;
  /** File, line and column. */
  place: string;
}

// V8: "    at name (place)" or "    at place"; others: "name@place".
function parse(line: string): Frame | undefined {
  const v8 = /^\s*at (?:async )?(?:(.*?) \()?(.+?:\d+:\d+)\)?$/.exec(line);
  if (v8) return {name: v8[1] ?? '', place: v8[2]!};
  const other = /^(.*?)@(.+?:\d+:\d+)$/.exec(line);
  return other ? {name: other[1]!, place: other[2]!} : undefined;
}

const folderOf = (place: string): string =>
  place.replace(/[^/\\]*$/, '');

/**
 * The innermost frame outside this library, as `name (file:line:column)`.
 * The error must have been made in the library: its first frame shows where
 * the library is. In a bundle, where all is one file, all frames are given.
 */
export function siteOf(error: Error): string {
  const frames = (error.stack ?? '').split('\n').map(parse)
      .filter((frame) => frame !== undefined);
  const own = folderOf(frames[0]?.place ?? '');
  const user = frames.find(({place}) => !place.startsWith(own));
  const shown = user ? [user] : frames.slice(1);
  return shown.map(({name, place}) => (name ? `${name} (${place})` : place))
      .join(' < ') || 'an unknown place';
}
