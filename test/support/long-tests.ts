/** `npm run test:long`: tests that are as strong as their length are run at full length; `npm test` has a short form of most of them. */
export const IS_LONG = process.env['LONG_TESTS'] === 'yes';
