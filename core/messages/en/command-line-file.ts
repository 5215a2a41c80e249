/** Problems of a file that a command reads. */
export const file = {
  unreadable: (path: string, why: string) => `Couldn’t read ${path}: ${why}`,
  whyUnreadable: {
    ENOENT: 'the file doesn’t exist.',
    EACCES: 'you don’t have permission. Change the permissions of the file.',
    EISDIR: 'it is a folder. Specify a file.',
  },
  tooLong: (name: string, megabytes: number) =>
    `${name} has more than ${megabytes} MB, which is the limit. Split its sites over several files.`,
  oneDocument:
    'A second YAML document starts here, and a file may have only one. Remove the line that starts it (three dashes), or move the rest to another file.',
  deep: (levels: number) => `Values are nested more than ${levels} levels deep here, which is the limit.`,
  manyEntries: (limit: number) =>
    `One list or mapping has more than ${limit} entries here, which is the limit. Split them over several files.`,
  manyTokens: (limit: number) =>
    `The file has more than ${limit} names, values, marks and line breaks, which is the limit. Split it into several files.`,
  empty: 'The file is empty.',
  conflict:
    'Git did not merge two versions of the file, and wrote both from here on. Keep one, and remove the lines that start with <<<<<<<, ======= and >>>>>>>.',
  required: (name: string) => `"${name}" is required.`,
  valueRequired: 'A value is required here.',
  unknownProperty: (name: string) => `Unknown property "${name}". Remove it.`,
  notOneOf: (values: string) => `Use ${values} here.`,
  noAnchor: (name: string) =>
    `YAML reads "*${name}" as an alias, and no anchor "&${name}" precedes it. If it is text, put it in quotes: "*${name}".`,
  ownAnchor: (name: string) => `The alias "*${name}" is part of its own anchor "&${name}". Write out its value.`,
  manyAliases: 'The file has too many aliases. Write out their values.',
  noForm: 'This matches none of the allowed forms.',
  wrongType: (expected: string) => `This must be ${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}.`,
  atMost: (limit: string, of: string) => `Use at most ${limit}${unit(of, limit)} here.`,
  atLeast: (least: string, of: string) => `Use at least ${least}${unit(of, least)} here.`,
  count: (count: number, shown: number) =>
    `${count} ${count === 1 ? 'line is' : 'lines are'} invalid${shown < count ? `, the first ${shown} are listed` : ''}; nothing was done.`,
};

/** Takes what a limit applies to, as a schema names it. */
function unit(of: string, limit: string): string {
  if (of === 'string') return limit === '1' ? ' character' : ' characters';
  if (of === 'array' || of === 'object') return limit === '1' ? ' entry' : ' entries';
  return '';
}
