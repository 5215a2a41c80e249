// The files of oidc-provider that its index.js imports; they have no types of their own.
declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider';
}
declare module 'oidc-provider/lib/helpers/errors.js' {
  import type { errors } from 'oidc-provider';
  export const SessionNotFound: typeof errors.SessionNotFound;
}
declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  import type { interactionPolicy } from 'oidc-provider';
  export const base: typeof interactionPolicy.base;
  export const Check: typeof interactionPolicy.Check;
  export const Prompt: typeof interactionPolicy.Prompt;
}
