/** What is wrong with a file that a command reads. */
export const file = {
  unreadable: (path: string) => `Couldn’t read ${path}.`,
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
  count: (count: number) => `${count} ${count === 1 ? 'line is' : 'lines are'} invalid; nothing was done.`,
};
