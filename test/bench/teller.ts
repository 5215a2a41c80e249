/** Says on one line of the terminal what is going on, and takes it away in the end; nothing where there is no terminal. */
export function createTeller(scenario: string): { tell(text: string): void; clear(): void } {
  const { stderr } = process;
  const write = (text: string) => {
    if (stderr.isTTY) stderr.write(`\r\u001B[K${text}`);
  };
  return { tell: (text) => write(`${scenario}: ${text}`), clear: () => write('') };
}
