// An archive in one piece: plain ustar, which every system can unpack. Weights
// hardly compress, so that a library to do so would bring nothing.

export interface ArchiveFile {
  /** At most 100 bytes. */
  name: string;
  modified: Date;
  bytes: Uint8Array<ArrayBuffer>;
}

const BLOCK = 512;

function headerOf({ name, modified, bytes }: ArchiveFile): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(BLOCK);
  const put = (at: number, text: string, room: number): void => {
    const encoded = new TextEncoder().encode(text);
    if (encoded.length > room) throw new Error(`tar: ${name} is too long`);
    header.set(encoded, at);
  };
  const octal = (at: number, value: number, width: number): void =>
    put(at, Math.floor(value).toString(8).padStart(width - 1, '0'), width);
  put(0, name, 100);
  octal(100, 0o644, 8);
  octal(108, 0, 8);
  octal(116, 0, 8);
  octal(124, bytes.length, 12);
  octal(136, +modified / 1000, 12);
  put(156, '0', 1);
  put(257, 'ustar', 6);
  put(263, '00', 2);
  // The checksum counts itself as spaces.
  header.fill(0x20, 148, 156);
  octal(148, header.reduce((sum, byte) => sum + byte, 0), 7);
  header[154] = 0;
  return header;
}

/** The files, one after the other, as a tar archive. */
export function tar(files: readonly ArchiveFile[]): Blob {
  const parts = files.flatMap((file) => {
    const padding = new Uint8Array((BLOCK - file.bytes.length % BLOCK) % BLOCK);
    return [headerOf(file), file.bytes, padding];
  });
  return new Blob([...parts, new Uint8Array(2 * BLOCK)], { type: 'application/x-tar' });
}
