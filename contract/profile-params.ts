import { ProfileName } from './names.ts';
import { OrgParams } from './site-endpoints.ts';

export const ProfileParams = OrgParams.extend({ profile: ProfileName });
