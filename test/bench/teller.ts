/** Shows progress on one line of the terminal, and clears it at the end; does nothing without a terminal. */
export function createTeller(scenario: string): { tell(text: string): void; clear(): void } {
  const { stderr } = process;
  const write = (text: string) => {
    if (stderr.isTTY) stderr.write(`\r\u001B[K${text}`);
  };
  return { tell: (text) => write(`${scenario}: ${text}`), clear: () => write('') };
}
