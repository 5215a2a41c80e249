/** The addresses that the pages show: those of a deployment, and of the examples of the OpenAPI document. */
export const DEPLOYMENT = {
  backend: 'https://config.example.com',
  previewDomain: 'preview.example.com',
  liveDomain: 'live.example.com',
  author: 'https://author-p100-e200.adobeaemcloud.com',
  buildManagement: 'https://build.example.com',
  extension: 'https://extension.example.com',
  identity: 'https://login.example.com',
  vendorHost: 'https://git.example.com',
} as const;

export const CODE_HOST = 'https://github.com';
