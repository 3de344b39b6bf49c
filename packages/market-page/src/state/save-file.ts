/** The page frees the file after this time. The browser has read it by then. */
const REVOKE_MS = 60_000;

/** Offers a CSV text as a file. */
export function saveFile(csv: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_MS);
}
