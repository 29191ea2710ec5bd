pub fn total(prices: &[u32]) -> u32 {
    prices.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_costs_nothing() {
        assert_eq!(total(&[]), 0);
        assert!(total(&[]) < 1);
    }

    #[test]
    fn prices_add_up() {
        let prices = [1, 2];
        assert_eq!(total(&prices), 3);
    }
}
