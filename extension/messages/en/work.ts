import type { WorkStep } from '#extension/setup/plan-work.ts';

/** The button of a plan, and above it what will be different once the plan is carried out. */
export const work = {
  buttons: {
    verify: 'Verify the site',
    repair: (differences: number) => (differences === 1 ? 'Repair 1 difference' : `Repair ${differences} differences`),
    finish: (steps: number) => (steps === 1 ? 'Finish setup: 1 step' : `Finish setup: ${steps} steps`),
    enable: 'Enable repoless',
  },
  enabled: (site: string, organization: string) =>
    `Afterwards this page is the site “${site}” of “${organization}”: its preview and live addresses respond, and its project type is repoless.`,
  chooseFirst: 'First choose an organization under “New settings”.',
  verified: 'Nothing is changed. This checks that the hosts serve the stored configuration.',
  afterwards: (outcomes: string) => `Afterwards ${outcomes}.`,
  outcomes: {
    'claim-organization': 'the organization belongs to you',
    'create-configuration': 'the page has a cloud configuration of its own',
    'select-configuration': 'the page uses its cloud configuration',
    'configuration-page': 'the site has a configuration page',
    'register-site': 'the service knows the site’s code and content sources',
    'store-secret': 'the service can read the external repository',
    'map-paths': 'the site’s addresses lead to its pages',
    'set-access': 'the right people and the technical account have access',
    'code-sync': 'the hosts serve the site’s code',
    'cloud-configuration': 'the authoring system names this organization and this site',
    'project-type': 'the project type is repoless',
  } satisfies Record<WorkStep, string>,
  people: {
    claims: (organization: string) => `This makes you the first administrator of the organization “${organization}”.`,
    addsYou: 'This adds you to the administrators of the site.',
    adds: (names: string) => `This adds ${names} to the administrators of the site.`,
    removesYou: 'This removes you from the administrators of the site.',
    removes: (names: string) => `This removes ${names} from the administrators of the site.`,
    publishes: (names: string) => `This lets ${names} publish to the site.`,
  },
};
