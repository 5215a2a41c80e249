import type { GitVendor } from '@repoless/contract/build-management.ts';
import type { VendorEvents } from '../vendor-events.ts';
import { azureDevops } from './azure-devops.ts';
import { bitbucket } from './bitbucket.ts';
import { githubEnterprise } from './github-enterprise.ts';
import { gitlab } from './gitlab.ts';

const EVENTS: Readonly<Record<GitVendor, VendorEvents>> = {
  'github-enterprise': githubEnterprise,
  bitbucket,
  gitlab,
  'azure-devops': azureDevops,
  other: githubEnterprise,
  // Its pushes arrive here themselves: it has no webhook whose signature could fit.
};

export function eventsOf(vendor: GitVendor): VendorEvents {
  return EVENTS[vendor];
}
