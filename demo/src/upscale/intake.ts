// Ways for a picture to come in: chosen, dropped anywhere on the page, pasted.
import { byId } from '../dom.js';

/** Calls `take` with each picture, and `complain` where there is none. */
export function takeFiles(
  take: (file: File) => void,
  complain: (message: string) => void,
): void {
  const input = byId<HTMLInputElement>('file');
  byId('choose').addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file) take(file);
    // The same file may be chosen again.
    input.value = '';
  });

  const stage = byId('stage');
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    stage.classList.add('aimed-at');
  });
  document.addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) stage.classList.remove('aimed-at');
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    stage.classList.remove('aimed-at');
    const file = event.dataTransfer?.files[0];
    if (file) take(file);
    else complain('No file was dropped. Save the picture first, then drop it.');
  });
  document.addEventListener('paste', (event) => {
    const file = event.clipboardData?.files[0];
    if (file) take(file);
  });
}
