/** What is wrong with a file that a command reads. */
export const file = {
  unreadable: (path: string, why: string) => `Couldn’t read ${path}: ${why}`,
  whyUnreadable: {
    ENOENT: 'there is no such file.',
    EACCES: 'you don’t have permission. Change the permissions of the file.',
    EISDIR: 'it is a folder. Name a file in it.',
  },
  tooLong: (name: string, megabytes: number) =>
    `${name} has more than ${megabytes} MB, which is the limit. Split its sites over several files.`,
  oneDocument: 'Here begins a second YAML document, and a file has one. Remove the line “---”, or write the rest to a file of its own.',
  deep: (levels: number) => `Values are nested more than ${levels} levels deep here, which is the limit.`,
  manyEntries: (most: number) =>
    `One list or mapping has more than ${most} entries here, which is the limit. Split them over several files.`,
  manyTokens: (most: number) =>
    `The file has more than ${most} names, values, marks and line breaks, which is the limit. Split it into several files.`,
  empty: 'The file is empty.',
  required: (name: string) => `"${name}" is required.`,
  valueRequired: 'A value is required here.',
  unknownProperty: (name: string) => `There is no property "${name}" here. Remove it.`,
  notOneOf: (values: string) => `Write ${values} here.`,
  noAnchor: (name: string) =>
    `YAML reads "*${name}" as an alias, and no anchor "&${name}" precedes it. If it is a text, put it in quotes: "*${name}".`,
  ownAnchor: (name: string) => `The alias "*${name}" is part of what its anchor "&${name}" stands for. Write out what it stands for.`,
  manyAliases: 'The file has too many aliases. Write out what they stand for.',
  noForm: 'This matches none of the allowed forms.',
  wrongType: (expected: string) => `Write ${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected} here.`,
  atMost: (most: string, of: string) => `Write at most ${most}${unit(of, most)} here.`,
  atLeast: (least: string, of: string) => `Write at least ${least}${unit(of, least)} here.`,
  count: (count: number, told: number) =>
    `${count} ${count === 1 ? 'line is' : 'lines are'} invalid${told < count ? `, the first ${told} are named` : ''}; nothing was done.`,
};

/** In: what a limit is of, as a schema calls it. */
function unit(of: string, limit: string): string {
  if (of === 'string') return limit === '1' ? ' character' : ' characters';
  if (of === 'array' || of === 'object') return limit === '1' ? ' entry' : ' entries';
  return '';
}
