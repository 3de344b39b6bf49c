/** The version of the service and of its API document; a test holds it against package.json. */
export const VERSION = '0.1.0';
