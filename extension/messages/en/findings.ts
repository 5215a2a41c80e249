import type { CheckId } from '#contract/site-check.ts';
import type { CheckMessages } from '../finding-messages.ts';
import { codeFindings } from './code-findings.ts';
import { settingFindings } from './setting-findings.ts';
import { serviceFindings } from './service-findings.ts';

export const findingSentences: Record<CheckId, CheckMessages> = { ...serviceFindings, ...settingFindings, ...codeFindings };
