/** Height of a row and of the header, in pixels; the style sheet says the same. */
export const ROW_HEIGHT = 40;
/** What stands around a grid in a dialog, in pixels: with it the dialog needs no second scroll bar on most screens. */
const AROUND = 560;

/** The height of a grid on this screen. The frame grows with what is in it, so that only the screen says how much room there is. */
export function gridHeight(screenHeight: number): number {
  return Math.max(240, Math.min(460, screenHeight - AROUND));
}

/** The lines above and below a grid, in pixels. */
const BORDERS = 2;

/** The room that a grid keeps while it is filtered, so that what stands below does not jump. */
export function gridRoom(rows: number, height: number): number {
  return Math.min(height, (rows + 1) * ROW_HEIGHT) + BORDERS;
}
