import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** Presses a button by keyboard as soon as it can be pressed: while it is disabled it does not take the focus, and the key would be lost. */
export async function pressEnter(button: Locator): Promise<void> {
  await expect.poll(() => button.isEnabled(), { timeout: 30_000 }).toBe(true);
  await button.press('Enter');
}
