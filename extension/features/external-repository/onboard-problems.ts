import { OnboardInput } from '@repoless/contract/build-management.ts';

type Field = 'programId' | 'name' | 'cloneUrl' | 'accessToken';

/** What is wrong with the form, by field, as build management would say it. */
export function onboardProblems(input: Readonly<Record<string, unknown>>): Partial<Record<Field, string>> {
  const issues = OnboardInput.safeParse(input).error?.issues ?? [];
  const of = (field: Field): Partial<Record<Field, string>> => {
    const message = issues.find(({ path }) => path[0] === field)?.message;
    return message === undefined ? {} : { [field]: message };
  };
  return { ...of('programId'), ...of('name'), ...of('cloneUrl'), ...of('accessToken') };
}
