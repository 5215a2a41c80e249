/** An example of the tutorial: shell commands and the expected answer, in which `…` stands for anything. */
export interface Example {
  /** Its first line. */
  readonly title: string;
  readonly commands: string;
  readonly answer: Documented;
}

export interface Documented {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Variables that a block sets for the examples after it. */
export interface Assignments {
  readonly assignments: readonly (readonly [name: string, value: string])[];
}

const FENCED = /^```(\w+)\n([\s\S]*?)^```$/gm;

/** The calls of a text in order, with the variables set between them. Throws if a call has no answer. */
export function readExamples(markdown: string): (Example | Assignments)[] {
  const blocks = [...markdown.matchAll(FENCED)].map(([, language = '', text = '']) => ({ language, text }));
  return blocks.flatMap(({ language, text }, index): (Example | Assignments)[] => {
    if (language !== 'sh') return [];
    if (!/\bcurl\b/.test(text)) return assignmentsOf(text);
    const next = blocks[index + 1];
    if (next?.language !== 'http') throw new Error(`This call of the tutorial has no answer beside it:\n${text}`);
    return [{ title: text.split('\n', 1)[0] ?? '', commands: text, answer: readAnswer(next.text) }];
  });
}

/** Parses an answer in HTTP's notation: status line, headers, an empty line, the body. */
export function readAnswer(text: string): Documented {
  const lines = text.split(/\r?\n/);
  const [, status = ''] = /^HTTP\/\S+ (\d{3})/.exec(lines[0] ?? '') ?? [];
  const end = lines.indexOf('');
  const headers = lines.slice(1, end < 0 ? undefined : end).map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return {
    status: Number(status),
    headers,
    body:
      end < 0
        ? ''
        : lines
            .slice(end + 1)
            .join('\n')
            .trim(),
  };
}

/** Differences from the documented answer. Headers may be missing in the documentation, properties of a body may not. */
export function differences(documented: Documented, answered: Documented): string[] {
  const headers = documented.headers.flatMap(([name, value]) => {
    const found = answered.headers.filter(([other]) => other === name).map(([, present]) => present);
    return found.some((present) => fits(value, present)) ? [] : [`header ${name}: ${found.join(', ') || 'none'} instead of ${value}`];
  });
  const status = documented.status === answered.status ? [] : [`status ${answered.status} instead of ${documented.status}`];
  return [...status, ...headers, ...bodyDifferences(documented.body, answered.body)];
}

function bodyDifferences(documented: string, answered: string): string[] {
  if (!/^[[{]/.test(documented)) return fits(documented, answered) ? [] : [`body ${answered} instead of ${documented}`];
  // The `…` of a property needs no quotation marks; it can also stand for a complete object or list.
  const closed = documented.replaceAll(/\{ … \}|\[ … \]|(?<=: )…/g, '"…"');
  return valueDifferences('', JSON.parse(closed), JSON.parse(answered === '' ? 'null' : answered));
}

function valueDifferences(at: string, documented: unknown, answered: unknown): string[] {
  if (documented === '…') return answered === undefined ? [`${at} is missing`] : [];
  if (isRecord(documented) && isRecord(answered) && Array.isArray(documented) === Array.isArray(answered)) {
    const names = new Set([...Object.keys(documented), ...Object.keys(answered)]);
    return [...names].flatMap((name) => valueDifferences(`${at}/${name}`, documented[name], answered[name]));
  }
  const same = typeof documented === 'string' && typeof answered === 'string' ? fits(documented, answered) : documented === answered;
  return same ? [] : [`${at === '' ? 'body' : at}: ${JSON.stringify(answered)} instead of ${JSON.stringify(documented)}`];
}

function fits(documented: string, answered: string): boolean {
  const pieces = documented.split('…').map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${pieces.join('[^]*')}$`).test(answered);
}

function assignmentsOf(text: string): Assignments[] {
  const found = [...text.matchAll(/^([A-Z_]+)=(\S+)/gm)].map(([, name = '', value = '']) => [name, value] as const);
  return found.length === 0 ? [] : [{ assignments: found }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
