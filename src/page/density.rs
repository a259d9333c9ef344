//! Dots an inch, as far as a file can be believed.

/// Densities that scanners use. Software writes 72 or 96 for want of better, which is inside; nonsense such as 1 or 65,535 is not.
const CREDIBLE: std::ops::RangeInclusive<f32> = 50.0..=1200.0;

/// Dots an inch in both directions, as the file says.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Density(Option<(f32, f32)>);

impl Density {
    pub const UNKNOWN: Density = Density(None);

    pub fn per_inch(x: f32, y: f32) -> Self {
        Self(Some((x, y)))
    }

    pub fn per_metre(x: f32, y: f32) -> Self {
        Self::per_inch(x * 0.0254, y * 0.0254)
    }

    pub fn per_centimetre(x: f32, y: f32) -> Self {
        Self::per_inch(x * 2.54, y * 2.54)
    }

    /// From TIFF's `XResolution`, `YResolution` and `ResolutionUnit` (2 inch, 3 centimetre, 1 none).
    pub fn from_tiff(x: Option<f32>, y: Option<f32>, unit: u16) -> Self {
        match (x.or(y), y.or(x), unit) {
            (Some(x), Some(y), 2) => Self::per_inch(x, y),
            (Some(x), Some(y), 3) => Self::per_centimetre(x, y),
            _ => Self::UNKNOWN,
        }
    }

    /// The density when both directions agree and the value is credible.
    pub fn dpi(self) -> Option<f32> {
        let (x, y) = self.0?;
        let credible = CREDIBLE.contains(&x) && CREDIBLE.contains(&y) && (x / y).max(y / x) < 1.02;
        // PNG and centimetres keep whole numbers only: 300 dpi comes back as 299.9994.
        credible.then(|| if (x - x.round()).abs() < 0.02 { x.round() } else { x })
    }

    pub fn or(self, other: Density) -> Density {
        if self.dpi().is_some() { self } else { other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metres_and_centimetres_come_back_round() {
        assert_eq!(Density::per_metre(11_811.0, 11_811.0).dpi(), Some(300.0));
        assert_eq!(Density::from_tiff(Some(236.22), None, 3).dpi(), Some(600.0));
    }

    #[test]
    fn nonsense_is_unknown() {
        assert_eq!(Density::per_inch(1.0, 1.0).dpi(), None);
        assert_eq!(Density::per_inch(f32::NAN, 300.0).dpi(), None);
        assert_eq!(Density::per_inch(200.0, 100.0).dpi(), None);
        assert_eq!(Density::from_tiff(Some(300.0), Some(300.0), 1).dpi(), None);
        assert_eq!(Density::UNKNOWN.or(Density::per_inch(300.0, 300.0)).dpi(), Some(300.0));
    }
}
