/** One of the figures that a program tells at its METRICS_PORT, by its name with its labels; 0 where it tells none. */
export async function readFigure(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length + 1));
}
