/** The words of generated questions. Plain data: `{name}` in a template (templates.ts) draws from the list `name`. */

const list = (text: string): readonly string[] => text.split(/\s*\|\s*/);

export const WORDS: Readonly<Record<string, readonly string[]>> = {
  person: list(
    `Gavin Newsom | J.D. Vance | Alexandria Ocasio-Cortez | Marco Rubio | Josh Shapiro |
    Pete Buttigieg | Gretchen Whitmer | Ron DeSantis | Nikki Haley | Andy Beshear | Wes Moore |
    Glenn Youngkin | Kamala Harris | Tim Walz | Jon Ossoff | Ken Paxton | James Talarico |
    Mary Peltola`,
  ),
  candidate: list(
    `Rafał Trzaskowski | José Antonio Kast | Éric Zemmour | Nicușor Dan | Ekrem İmamoğlu |
    Péter Magyar | Jordan Bardella | Édouard Philippe | Søren Pape Poulsen | Iván Cepeda |
    Keiko Fujimori | Flávio Bolsonaro | Sanna Marin | Bart De Wever | Pedro Sánchez | Luis Caputo |
    Naftali Bennett | Sébastien Lecornu`,
  ),
  country: list(
    `France | Poland | Brazil | Chile | Hungary | Colombia | Peru | Israel | Türkiye | Denmark |
    Spain | Argentina | Côte d’Ivoire | São Tomé and Príncipe | Japan | Sweden | Portugal | Czechia`,
  ),
  state: list(
    `Texas | Georgia | Michigan | Ohio | Maine | North Carolina | Iowa | Alaska | New Hampshire |
    Nevada | Arizona | Pennsylvania | Wisconsin | Florida | Virginia | Nebraska | Kansas | Minnesota`,
  ),
  coin: list(
    'Bitcoin | Ethereum | Solana | XRP | Dogecoin | BNB | Cardano | Hyperliquid | Chainlink | Litecoin',
  ),
  token: list(
    `MegaETH | Monad | Linea | Base | Abstract | OpenSea | MetaMask | Zama | Aztec | Berachain |
    Lighter`,
  ),
  level: list(
    `$40k | $55k | $75k | $90k | $100,000 | $110,000 | $125k | $150,000 | $180k | $200k | $250,000 |
    $1m`,
  ),
  nba: list(
    `Lakers | Celtics | Knicks | Thunder | Nuggets | Bucks | Heat | Warriors | Spurs | Cavaliers |
    Magic | Timberwolves | Rockets | Pistons | Hawks | 76ers | Mavericks | Suns`,
  ),
  nfl: list(
    `Chiefs | Eagles | Bills | Ravens | Lions | 49ers | Packers | Cowboys | Rams | Bengals |
    Steelers | Texans | Broncos | Patriots | Seahawks | Bears | Vikings | Jaguars`,
  ),
  club: list(
    `Real Madrid CF | FC Barcelona | Atlético Madrid | FC Bayern München | Paris Saint-Germain |
    Arsenal FC | Liverpool FC | Manchester City FC | Brighton & Hove Albion FC | Fenerbahçe SK |
    Malmö FF | Grêmio | Borussia Mönchengladbach | Deportivo Alavés | AS Saint-Étienne | Inter |
    Juventus FC | FC København`,
  ),
  esports: list(
    `T1 | Gen.G | G2 Esports | FaZe Clan | Team Vitality | Natus Vincere | MOUZ | Team Liquid |
    Fnatic | BLG`,
  ),
  game: list('LoL | Counter-Strike | Dota 2 | Valorant'),
  fighter: list(
    `Islam Makhachev | Ilia Topuria | Tom Aspinall | Jiří Procházka | Benoît Saint Denis |
    Khamzat Chimaev`,
  ),
  bps: list(
    `25 bps decrease | 50+ bps decrease | no change | 25 bps increase | 75 bps decrease |
    50 bps increase`,
  ),
  rate: list('2.1% | 2.4% | 2.7% | 3.0% | 3.2% | 3.5% | 3.9% | 4.2% | 4.5% | 5.0% | 6.1% | 7.0%'),
  company: list(
    `Apple | NVIDIA | Google | Microsoft | Tesla | Amazon | Meta | AT&T | OpenAI | Anthropic | xAI |
    Procter & Gamble | SpaceX | Samsung | Intel | Johnson & Johnson`,
  ),
  model: list('GPT-6 | Claude 5 | Gemini 4 | Grok 5 | Llama 5 | DeepSeek V4 | Qwen 4 | Mistral Large 4'),
  film: list(
    'Dune: Part Three | Avengers: Doomsday | The Odyssey | Fast & Furious 11 | Amélie Returns | Shrek 5',
  ),
  artist: list(
    `Taylor Swift | Beyoncé | Rosalía | Bad Bunny | Sigur Rós | Tyler, the Creator | Björk | Drake |
    ROSÉ`,
  ),
  city: list(
    `New York City | London | Seoul | Buenos Aires | Zürich | São Paulo | Miami | Ankara | Chicago |
    Kraków`,
  ),
  degrees: list('31°F | 38°F | 44°F | 52°F | 57°F | 61°F | 66°F | 71°F | 78°F | 84°F | 88°F | 95°F'),
  total: list('1.5 | 2.5 | 3.5 | 44.5 | 47.5 | 51.5 | 210.5 | 218.5 | 224.5 | 231.5'),
  amount: list('<$50m | $50m–$75m | $75m–$100m | $100m–$150m | >$150m | >$250m'),
  seats: list('<210 | 210–214 | 215–219 | 220–224 | 225–229 | >230'),
  hour: list('1AM ET | 3AM ET | 6AM ET | 9AM ET | 10AM ET | 12PM ET | 2PM ET | 4PM ET | 7PM ET | 11PM ET'),
  n: list('1 | 2 | 3 | 4 | 5 | 6 | 7 | 8'),
};

export const MONTHS = list(
  'January | February | March | April | May | June | July | August | September | October | November | December',
);
