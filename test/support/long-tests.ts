/** `npm run test:long`: tests that find more the longer they run have their full length; `npm test` runs a short form of most of them. */
export const IS_LONG = process.env['LONG_TESTS'] === 'yes';
