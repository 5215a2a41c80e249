import { readFileSync } from 'node:fs';

export interface EnvironmentSettings {
  readonly given: Readonly<Record<string, string>>;
  /** What is wrong with the files, each with the setting's name and never with what a file holds. */
  readonly problems: readonly string[];
}

/**
 * What the environment sets; an empty variable counts as none. A setting of `secrets` may be in a file instead, which
 * `<name>_FILE` names: container platforms and systemd hand secrets over as files.
 */
export function environmentSettings(
  environment: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): EnvironmentSettings {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value !== undefined && value.trim() !== '') given[name] = value;
  const problems: string[] = [];
  for (const name of secrets) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    const value = readText(file);
    if (given[name] !== undefined) problems.push(`${name}_FILE: Set this or ${name}, not both.`);
    else if (value === '') problems.push(`${name}_FILE: Name a file that can be read and holds the value of ${name} alone.`);
    else given[name] = value;
  }
  return { given, problems };
}

/** Without white space around it, such as the end of the line; empty where the file cannot be read. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
