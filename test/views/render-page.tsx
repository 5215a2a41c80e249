import { NO_EDITS } from '@repoless/core/plan/choices.ts';
import { Surface } from '@repoless/extension/app/Surface.tsx';
import { PageProperties } from '@repoless/extension/features/page-properties/PageProperties.tsx';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { useState } from 'react';
import { nameMismatches } from '../support/name-mismatches.ts';
import { PAGE, SERVICE, type World } from './world.ts';

/** The page-properties view over a world, in a locale and theme; `signedOut` counts how often it asked to sign in. */
export function renderPage(world: World, locale = 'en-US', theme: 'light' | 'dark' = 'light', hash = '#/page-properties') {
  history.replaceState(null, '', hash);
  const calls = { signedOut: 0 };
  render(<Page world={world} locale={locale} theme={theme} onSignedOut={() => calls.signedOut++} />);
  return { person: userEvent.setup(), calls };
}

interface Props {
  readonly world: World;
  readonly locale: string;
  readonly theme: 'light' | 'dark';
  readonly onSignedOut: () => void;
}

function Page({ world, locale, theme, onSignedOut }: Props) {
  const [edits, setEdits] = useState(NO_EDITS);
  return (
    <Surface locale={locale} theme={theme} standAlone={false}>
      <PageProperties ports={world.ports} path={PAGE} service={SERVICE} edits={edits} onEdit={setEdits} onSignedOut={onSignedOut} />
    </Surface>
  );
}

/** The groups of a list of steps, each with its state. */
export function groupsIn(steps: HTMLElement): string[] {
  return [...steps.querySelectorAll(':scope > li > details > summary')].map((group) =>
    [...group.querySelectorAll('span')].map(({ textContent }) => textContent).join(': '),
  );
}

/** Axe violations in the document; colours need a real browser and are tested there. */
export async function violations(): Promise<string[]> {
  const found = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    resultTypes: ['violations'],
    preload: false,
  });
  const violated = found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  return [...violated, ...nameMismatches()];
}
