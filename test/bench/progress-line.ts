/** Shows progress on one line of the terminal, and clears it at the end; does nothing without a terminal. */
export function createProgressLine(scenario: string): { showProgress(text: string): void; clear(): void } {
  const { stderr } = process;
  const write = (text: string) => {
    if (stderr.isTTY) stderr.write(`\r\u001B[K${text}`);
  };
  return { showProgress: (text) => write(`${scenario}: ${text}`), clear: () => write('') };
}
