//! explore
use proptests::bench::play;
use proptests::coverage::*;
use proptests::runner::draw;
use proptests::scenario::scenario;
fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut s = Sampler::new();
    let strategy = scenario(400);
    let t = std::time::Instant::now();
    for seed in 0..n {
        let sc = draw(seed, &strategy);
        if seed % 2 == 0 { s.run(&sc.straps, 31, &play::<4, 8, 31>(&sc).0) } else { s.run(&sc.straps, 10, &play::<1, 3, 10>(&sc).0) }
    }
    let l = Layout::get();
    let c = Claims::get();
    for b in c.disproved(s.counts()) { println!("DISPROVED {} {}", s.counts()[l.place(b)], l.name(b)); }
    for b in c.holes(s.counts()) { println!("hole {}", l.name(b)); }
    let total = Totals::from(&s);
    eprintln!("{} of {} cycles {} in {:?}", total.hit(), c.reachable(), s.cycles(), t.elapsed());
}
