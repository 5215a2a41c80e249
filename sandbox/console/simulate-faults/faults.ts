import { z } from 'zod';

/** The troubles that a stand-in can be put into (sandbox/faults.ts), in the user's words. */
export const FAULTS = [
  { id: 'none', title: 'Works' },
  { id: 'down', title: 'Down' },
  { id: 'unavailable', title: 'Answers 503' },
  { id: 'slow', title: 'Slow (a minute)' },
  { id: 'forbidden', title: 'Answers 403' },
  { id: 'unauthorized', title: 'Answers 401' },
  { id: 'limited', title: 'Answers 429' },
  { id: 'alternatives', title: 'Too many resources (300)' },
] as const;

const Fault = z.looseObject({ mode: z.string() });

/** The trouble that a stand-in is in. Rejects with a sentence where it cannot be asked. */
export async function readFault(stand: string): Promise<string> {
  return modeOf(await fetch(address(stand)));
}

export async function provoke(stand: string, mode: string): Promise<string> {
  const body = JSON.stringify({ mode });
  return modeOf(await fetch(address(stand), { method: 'POST', headers: { 'content-type': 'application/json' }, body }));
}

async function modeOf(answer: Response): Promise<string> {
  if (!answer.ok) throw new Error('Couldn’t reach this stand-in. Is the sandbox still running?');
  return Fault.parse(await answer.json()).mode;
}

function address(stand: string): string {
  return `/console/faults/${stand}`;
}
