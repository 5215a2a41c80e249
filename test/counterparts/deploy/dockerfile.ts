export interface Step {
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  readonly name: string;
  /** An image, or an earlier stage. */
  readonly base: string;
  readonly steps: readonly Step[];
}

/** The stages of a Dockerfile; its arguments before the first of them are put in. */
export function stagesOf(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const given = new Map<string, string>();
  const stages: { name: string; base: string; steps: Step[] }[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === 'ARG') {
      const [argument = '', value = ''] = rest.split('=');
      given.set(argument, value);
    } else if (name === 'FROM') {
      const [, base = '', stage = ''] = /^(\S+) AS (\S+)$/.exec(rest) ?? [];
      stages.push({ name: stage, base: base.replaceAll(/\$\{(\w+)\}/g, (_, argument: string) => given.get(argument) ?? ''), steps: [] });
    } else {
      stages.at(-1)?.steps.push({ name, text: rest });
    }
  }
  return stages;
}
