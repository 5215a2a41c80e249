import { z } from 'zod';

/** What an extension registers (service universal-editor/ui/1), as it arrives over the wire: every method answers a promise. */
export interface GuestApi {
  emit?(event: string, detail: unknown): Promise<void>;
  apis?: {
    headerMenu?: { getButtons?(): Promise<unknown> };
    rightPanel?: { addRails?(): Promise<unknown> };
  };
}

const Pressed = z.custom<() => Promise<unknown>>((value) => typeof value === 'function');

export const HeaderButton = z.object({
  id: z.string(),
  label: z.string(),
  icon: z.string().optional(),
  variant: z.string().optional(),
  onClick: Pressed,
});
export type HeaderButton = z.infer<typeof HeaderButton>;

export const Rail = z.object({
  id: z.string(),
  header: z.string(),
  url: z.string(),
  icon: z.string().optional(),
  hotkey: z.string().optional(),
});
export type Rail = z.infer<typeof Rail>;

/** What an extension asks of `modal.showUrl`; sizes are pixels, or CSS lengths as text. */
export const ModalRequest = z.object({
  url: z.string(),
  title: z.string().optional(),
  width: z.union([z.number(), z.string()]).optional(),
  height: z.union([z.number(), z.string()]).optional(),
  fullscreen: z.boolean().optional(),
  isDismissable: z.boolean().optional(),
  loading: z.boolean().optional(),
});
export type ModalRequest = z.infer<typeof ModalRequest>;

/** A call of the extension to its host: `host.modal.showUrl(x)` is path `["modal"]`, name `showUrl`, arguments `[x]`. */
export const HostCall = z.object({ path: z.array(z.string()), name: z.string(), args: z.array(z.unknown()).default([]) });
