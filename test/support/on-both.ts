/** Whether the tests run on the hosted service, by the bridge, instead of a service of our own. */
export const IS_HOSTED = process.env['SUITE_SERVICE'] === 'hosted';
