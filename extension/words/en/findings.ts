import type { CheckId } from '#extension/setup/findings.ts';
import type { CheckWords } from '../finding-words.ts';
import { codeFindings } from './code-findings.ts';
import { settingFindings } from './setting-findings.ts';
import { serviceFindings } from './service-findings.ts';

export const findingSentences: Record<CheckId, CheckWords> = { ...serviceFindings, ...settingFindings, ...codeFindings };
