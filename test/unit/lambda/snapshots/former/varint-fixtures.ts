/** What the last version before ADR 28 has written: a base of three markets … */
export const BASE = stored(
  'KLUv/WBiBW0JAMLONjVga5oDUE6XZAEmC2be2HUAZKCl1qCy8UGz3de2iadWdjeFkelBWK0l6TrJyxdOdQDX2nV0Ek+Wnyw/WSYI4RCBOBettYCMjkWWWIdGRZaYB8YmS+xjw8kN6oC01qANCoAYY4yxu7tbQDNpm+A0dzJcvk7KVJ+ZFb2Ya5kK1VIWW8t1N/mlKKbVXneQv5UJP4hgTQgrodhK3b3hPfmebCiBUWooFfTry088HVTWvLsEJalWKnH5yqXeuxtY87qmhwhG2JqYGdVKFy5vWYrvvETcHb6Jd/mKPjMwEiIgEIOSQHQMDbgZe0YJbqPd46Khwb2JTVDCpedmFlHovYlNUMKl52ZuETUgOmX0mnbwiQ1dUwyM3/+25LIurMLfyQJBEdtmlUEnYbsnBTo=',
  'dbe002c240491130b408bbb1f703593528a3b84e04bceb06476dec30cc7b8bed',
);
/** … and what two snapshots add to it. */
export const MOVED = stored(
  'KLUv/WA0Aa0HALJNMzRga5oD1E4Co7JImBeWAwDaVaMF1fh84Nte07aJR7YnuykM+UgQ8JYuQs8+rnARFWo2FiIDzDYRHGbmiU3MHPBxDXA8GiHPpoIFLDoUl5zI6PC4mJ/OBj8YEkxDiTWhaWwvXJ52BaLPtDQhxlqtQGtUb7WqN8ptNO+ktTqDvJ2g+yAC1Q1VUqk0evvkPfmejFACCVyEriC+ePm+0IFE9duprirI4iLuUo1pR+l8uPx0ofbtBpZoWhecyeWpOq/ti8PbIw/iXV6azwCAMBYNAII7oABlZpx2xtauMbSMsP/pDqItDKXhv4wFAkcUVWY9JwEl',
  '73a4f99b701ee91d018639389d1036280fdf7163ae09b7bdc5289f3d76aedb6e',
);
export const REORDERED = stored(
  'KLUv/SAfZQAAMAEBAAECAQEACxgC',
  '05ac33caa38f73f9c59c1a7fa35ec593ade59645335b02210f3155785574aa9f',
);

function stored(base64: string, checksum: string) {
  return { chunks: [Buffer.from(base64, 'base64')], checksum };
}
