import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** Presses a button by keyboard when it is enabled: a disabled button takes no focus, and the key would be lost. */
export async function pressEnter(button: Locator): Promise<void> {
  await expect.poll(() => button.isEnabled(), { timeout: 30_000 }).toBe(true);
  await button.press('Enter');
}
