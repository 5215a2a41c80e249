/** The embedded database in `DATA_DIR`. */
export const DATABASE_FILE = 'repoless.sqlite';
